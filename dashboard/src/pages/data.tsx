import { Page } from '../ui/elements.js';

export const DataPage = () => <Page title="Data">{null}</Page>;
