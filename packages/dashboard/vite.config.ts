import type { UserConfig } from 'vite';

const gateway = 'http://127.0.0.1:8787';

const config: UserConfig = {
  root: import.meta.dirname,
  // The gateway serves it at `/`, and hashed names below `/assets/` for ever.
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../gateway/dist/dashboard/page',
    emptyOutDir: true,
    // The policy of the page allows no address with its content in it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npx vite` in this folder shows the page as it is written, on the data of a gateway that runs.
  server: {
    proxy: {
      '/api': {
        target: gateway,
        changeOrigin: true,
        headers: { origin: gateway, 'sec-fetch-site': 'same-origin' },
      },
    },
  },
};

export default config;
