import { Page } from '../ui/elements.js';

export const ClockPage = () => <Page title="Clock">{null}</Page>;
