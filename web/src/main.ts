import '@fontsource-variable/inter';
import '@fontsource-variable/noto-sans-sc';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadAgainOnceUpgraded } from './lib/loadagain';

const target = document.getElementById('app');
loadAgainOnceUpgraded();
if (!target) throw new Error('index.html has lost its #app');
export default mount(App, { target });
