import { Page } from '../ui/elements.js';

export const OverviewPage = () => <Page title="Overview">{null}</Page>;
