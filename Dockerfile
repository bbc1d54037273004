# syntax=docker/dockerfile:1

# The gateway: docs/docker.md tells how to run it.
ARG NODE=24-slim

FROM node:${NODE} AS manifests
WORKDIR /src
# What is installed changes less often than what is built.
COPY package.json package-lock.json .npmrc ./
COPY packages/core/package.json packages/core/
COPY packages/gateway/package.json packages/gateway/
COPY packages/dashboard/package.json packages/dashboard/

FROM manifests AS build
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json tsconfig.build.json ./
COPY scripts/build.mjs scripts/run-command.mjs scripts/
# The dashboard shows some of these.
COPY corpus/demo/ corpus/demo/
COPY packages/ packages/
RUN npm run build

FROM manifests AS modules
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace=holdfast

FROM node:${NODE}
ENV NODE_ENV=production \
    HOLDFAST_HOST=0.0.0.0 \
    HOLDFAST_STATE_DIR=/state
WORKDIR /app
COPY --from=modules /src/node_modules/ node_modules/
# Optional for those who install the package; here a store should need nothing else.
COPY --from=build /src/node_modules/@redis/client/ node_modules/@redis/client/
COPY --from=build /src/packages/core/package.json packages/core/
COPY --from=build /src/packages/core/dist/ packages/core/dist/
COPY --from=build /src/packages/gateway/package.json packages/gateway/
COPY --from=build /src/packages/gateway/bin/ packages/gateway/bin/
COPY --from=build /src/packages/gateway/python/ packages/gateway/python/
COPY --from=build /src/packages/gateway/dist/ packages/gateway/dist/
COPY docker/healthcheck.mjs ./
RUN ln -s /app/packages/gateway/bin/holdfast.js /usr/local/bin/holdfast \
    && install --directory --owner=node --group=node /config /state
USER node
# Where holdfast start looks for holdfast.yaml.
WORKDIR /config
VOLUME ["/state"]
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
    CMD ["node", "/app/healthcheck.mjs"]
ENTRYPOINT ["holdfast"]
CMD ["start"]
