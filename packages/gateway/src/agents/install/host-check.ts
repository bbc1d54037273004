import type { HostCheck } from './agent-installer.ts';

export const ok = (text: string): HostCheck => ({ status: 'ok', text });

export const warning = (text: string): HostCheck => ({ status: 'warning', text });

export const problem = (text: string): HostCheck => ({ status: 'problem', text });
