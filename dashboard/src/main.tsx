import { render } from 'preact';
import { App } from './app.js';
import { connect } from './lib/live.js';

const element = document.getElementById('app');
if (element) render(<App />, element);
connect();
