import { describe, expect, it } from 'vitest';
import { configFile, stateFolder } from './state-folder.ts';

describe.skipIf(process.platform === 'win32')('stateFolder', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', { HOME: '/home/me' }, '/home/me/.local/state/holdfast'],
    ['linux', { HOME: '/home/me', XDG_STATE_HOME: '/state' }, '/state/holdfast'],
    ['linux', { HOME: '/home/me', XDG_STATE_HOME: 'state' }, '/home/me/.local/state/holdfast'],
    ['darwin', { HOME: '/Users/me' }, '/Users/me/Library/Application Support/Holdfast'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Holdfast/State'],
    ['linux', { HOME: '/home/me', HOLDFAST_STATE_DIR: '/own' }, '/own'],
  ])('is on %s with %j in %s', (platform, env, folder) => {
    expect(stateFolder(env, platform)).toBe(folder);
  });
});

describe.skipIf(process.platform === 'win32')('configFile', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', { HOME: '/home/me' }, '/home/me/.config/holdfast/holdfast.yaml'],
    ['linux', { HOME: '/home/me', XDG_CONFIG_HOME: '/config' }, '/config/holdfast/holdfast.yaml'],
    ['linux', { HOME: '/me', XDG_CONFIG_HOME: 'config' }, '/me/.config/holdfast/holdfast.yaml'],
    ['darwin', { HOME: '/me' }, '/me/Library/Application Support/Holdfast/holdfast.yaml'],
    ['win32', { APPDATA: '/roaming' }, '/roaming/Holdfast/holdfast.yaml'],
    ['linux', { HOME: '/home/me', HOLDFAST_CONFIG: '/own.yaml' }, '/own.yaml'],
  ])('is on %s with %j %s', (platform, env, file) => {
    expect(configFile(env, platform)).toBe(file);
  });
});
