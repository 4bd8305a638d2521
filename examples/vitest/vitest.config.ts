import { defineConfig } from 'vitest/config';

// Each test has a sandbox of its own, so none has to wait for another.
export default defineConfig({ test: { sequence: { concurrent: true, shuffle: true } } });
