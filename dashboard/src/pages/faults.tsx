import { Page } from '../ui/elements.js';

export const FaultsPage = () => <Page title="Faults">{null}</Page>;
