# telctl and its sandbox, as a user without rights (docs/installing.md, docs/sandbox-server.md). In a checkout:
#   docker build -t telctl .
#   docker run --rm telctl --version
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm pack --ignore-scripts && mv telctl-*.tgz /telctl.tgz

FROM node:24-slim
COPY --from=build /telctl.tgz /tmp/telctl.tgz
RUN npm install --global --ignore-scripts --omit=optional /tmp/telctl.tgz \
 && npm cache clean --force \
 && rm /tmp/telctl.tgz \
 && mkdir /data \
 && chown node:node /data
USER node
WORKDIR /data
# Profiles, records, snapshots, and what commands in the container need to find the sandbox.
ENV HOME=/data
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/sandbox/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["telctl"]
# The names are those of a Compose or CI service called sandbox, and of a port of the machine that leads to it.
CMD ["sandbox", "serve", "--listen", "0.0.0.0", "--port", "8080", "--allow-host", "sandbox", "--allow-host", "localhost", "--data", "/data/records"]
