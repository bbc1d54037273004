import { join } from 'node:path';
import { installLocked } from './install-locked.mjs';
import { root } from './run-command.mjs';

/** Installs what makes the site of the documentation, unless that was done. */
export const installDocsSite = () =>
  installLocked(join(root, 'scripts', 'docs-site'), join(root, '.cache', 'docs-site'));
