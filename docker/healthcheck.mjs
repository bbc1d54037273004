// Ends with 0 where the gateway of this container answers, as the healthcheck of the image.
const { HOLDFAST_URL = 'http://127.0.0.1:8787', HOLDFAST_TOKEN = '' } = process.env;

const headers = HOLDFAST_TOKEN === '' ? {} : { authorization: `Bearer ${HOLDFAST_TOKEN}` };
const answer = await fetch(new URL('/healthz', HOLDFAST_URL), { headers }).catch(() => undefined);
process.exitCode = answer?.ok === true ? 0 : 1;
