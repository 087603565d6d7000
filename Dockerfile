# Build: docker build -t holdfast .
# Run:   docker run --read-only --cap-drop=ALL -v holdfast:/data -p 3000:3000 holdfast
# docs/operations.md says more.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY tools/runtime/package.json tools/runtime/
COPY tools/container/package.json tools/container/
COPY extensions/order-block/package.json extensions/order-block/
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json README.md THIRD-PARTY-NOTICES.md ./
COPY src src/
COPY adapters adapters/
COPY tools tools/
COPY docs docs/
COPY scripts/build-package.ts scripts/bundled-packages.ts scripts/commonjs-types.ts scripts/llms-text.ts scripts/
RUN npm run build

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dependencies
WORKDIR /dependencies
COPY package.json package-lock.json .npmrc ./
COPY tools/container/package.json tools/container/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --workspace=tools/container

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
COPY package.json LICENSE THIRD-PARTY-NOTICES.md ./
COPY --from=dependencies /dependencies/node_modules node_modules/
COPY --from=build /build/dist dist/
# The only folder that is written to; SQLite also puts its temporary files there.
RUN install -d -m 700 -o 1000 -g 1000 /data
VOLUME /data
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV PORT=3000
ENV DATABASE_URL=sqlite:/data/holdfast.db
ENV SQLITE_TMPDIR=/data
ENV PDF_FONTS=/app/node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags: docs/decisions/0021-requests-go-first.md.
ENTRYPOINT ["node", "--min-semi-space-size=16", "--max-semi-space-size=16", "dist/main.js"]
CMD ["serve"]
