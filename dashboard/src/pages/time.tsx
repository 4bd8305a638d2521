import { Page } from '../ui/elements.js';

export const TimePage = () => <Page title="Time">{null}</Page>;
