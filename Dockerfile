# Copies what `node scripts/image.mjs` puts into dist/image, so that a build needs no network: docs/container.md.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
ARG VERSION=
LABEL org.opencontainers.image.title="Slipway" \
      org.opencontainers.image.description="A web dashboard and REST API for local Kubernetes clusters: kind on Docker or Podman." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/debian:bookworm-slim"
COPY dist/image/etc/ /etc/
COPY dist/image/bin/ /usr/local/bin/
COPY dist/image/slipway/ /opt/slipway/
COPY --chown=1000:1000 dist/image/data/ /data/
ENV PATH=/opt/slipway/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/data/home \
    XDG_CACHE_HOME=/tmp \
    APP_DATA_DIR=/data/slipway \
    APP_HOST=0.0.0.0 \
    APP_AUTH=required \
    APP_FORWARD_PORTS=9100-9119
WORKDIR /data
VOLUME /data
EXPOSE 8080 9001 9100-9119
USER 1000:1000
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=3 CMD ["slipway", "status", "--output", "json"]
ENTRYPOINT ["slipway"]
CMD ["serve"]
