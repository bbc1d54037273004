import { computed, signal } from '@preact/signals';
import { readRoute } from './read-route.ts';

const hash = signal(location.hash);
window.addEventListener('hashchange', () => (hash.value = location.hash));

/** Where the person is. */
export const route = computed(() => readRoute(hash.value));
