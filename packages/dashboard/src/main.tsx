import { render } from 'preact';
import './styles/index.css';
import { connect } from './live/connection.ts';
import { App } from './shell/app.tsx';
import { followTheme } from './shell/theme.ts';

followTheme();
connect();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
