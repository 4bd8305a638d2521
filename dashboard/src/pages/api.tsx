import { Page } from '../ui/elements.js';

export const ApiPage = () => <Page title="Api">{null}</Page>;
