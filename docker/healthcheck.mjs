// Ends with 0 where the gateway of this container answers, as the healthcheck of the image.
const { HOLDFAST_URL = 'http://127.0.0.1:8787' } = process.env;

const answer = await fetch(new URL('/healthz', HOLDFAST_URL)).catch(() => undefined);
process.exitCode = answer?.ok === true ? 0 : 1;
