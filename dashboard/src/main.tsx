import { render } from 'preact';
import { App } from './app.js';
import { loadCollections } from './lib/collections.js';
import { connect } from './lib/live.js';

const element = document.getElementById('app');
connect();
void loadCollections().then(() => element && render(<App />, element));
