import { Page } from '../ui/elements.js';

export const SandboxesPage = () => <Page title="Sandboxes">{null}</Page>;
