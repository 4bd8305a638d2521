# val-emulator in a container; see docs/containers.md.

# Pinned, so that the same commit builds on the same base. `docker buildx imagetools inspect node:24-slim` prints the latest.
ARG NODE_IMAGE=node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run --silent build \
  && chmod +x dist/bin/val-emulator.js \
  && redis="@redis/client@$(node -p 'require("./package.json").devDependencies["@redis/client"]')" \
  && npm prune --omit=dev --no-audit --no-fund \
  # For --store, which most programs do not use.
  && npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund "$redis"

FROM ${NODE_IMAGE}
# The builder passes them: --build-arg VERSION=0.1.0 --build-arg REVISION=$(git rev-parse HEAD)
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="val-emulator" \
  org.opencontainers.image.description="A local emulator of the vals HTTP API" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="https://github.com/val-emulator/val-emulator" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
WORKDIR /opt/val-emulator
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/fixtures fixtures
COPY --from=build /build/dist dist
COPY --from=build /build/docs docs
RUN ln -s /opt/val-emulator/dist/bin/val-emulator.js /usr/local/bin/val-emulator \
  # Where a volume is mounted for --data: a new one gets the owner of this folder.
  && mkdir /data && chown 1000:1000 /data
ENV NODE_ENV=production \
  VAL_EMULATOR_HOST=0.0.0.0 \
  VAL_EMULATOR_PORT=4010 \
  # Programs on the host reach the control API through a published port: publish it on 127.0.0.1 only (docs/containers.md).
  VAL_EMULATOR_CONTROL_FROM=gateway
EXPOSE 4010
# The user node, as a number: so those who run it see that it is not root.
USER 1000:1000
# Where one's own fixtures are mounted.
WORKDIR /fixtures
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s \
  CMD val-emulator wait --url "http://127.0.0.1:${VAL_EMULATOR_PORT}" --timeout 2s || exit 1
ENTRYPOINT ["val-emulator"]
