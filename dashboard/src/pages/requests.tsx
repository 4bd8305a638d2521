import { Page } from '../ui/elements.js';

export const RequestsPage = () => <Page title="Requests">{null}</Page>;
