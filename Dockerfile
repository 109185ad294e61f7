# Builds Slipway from the sources: docs/container.md. Each base can be replaced by a build argument.
ARG NODE_BASE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# An image that has kind, helm, kubectl and docker in /programs takes the place of Go: what is there is not built.
ARG PROGRAMS_BASE=golang:1.26.8-bookworm@sha256:f4191582e1522dfc5980a6bdc0309a756f9697f3e7d0f199c7e26fc82ab324fd
ARG BASE=debian:bookworm-20260918-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251

FROM ${NODE_BASE} AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY scripts/package.json scripts/
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# Types are checked where they change: this needs no development packages.
RUN APP_TYPES_OK=1 npm run release -- --package
# The package with what npm installs beside it, in the versions of package-lock.json and without Node's headers (67 MB).
RUN cp -r dist/package /opt/slipway \
 && mkdir /opt/slipway/node_modules \
 && cp -r node_modules/ws node_modules/node-linux-* /opt/slipway/node_modules \
 && rm -r /opt/slipway/node_modules/node-linux-*/include
# Debian slim has no certificates, which helm needs. Node brings those of Mozilla.
RUN node -p 'tls.rootCertificates.join("\n")' > /ca-certificates.crt

FROM ${PROGRAMS_BASE} AS programs
COPY scripts/image/programs /programs/src
WORKDIR /programs
ENV CGO_ENABLED=0 GOFLAGS="-trimpath -buildvcs=false"
RUN [ -x kind ] || go build -C src/kind -o=/programs/kind -ldflags="-s -w" sigs.k8s.io/kind
# helm also needs the version of Kubernetes for charts that it renders without a cluster, as in its own Makefile.
RUN [ -x helm ] || { \
    common=helm.sh/helm/v4/pkg/chart/common \
 && version=$(go list -C src/helm -m -f="{{.Version}}" helm.sh/helm/v4) \
 && minor=$(go list -C src/helm -m -f="{{.Version}}" k8s.io/client-go | cut -d. -f2) \
 && go build -C src/helm -o=/programs/helm -ldflags="-s -w -X=helm.sh/helm/v4/internal/version.version=$version \
    -X=$common.k8sVersionMajor=1 -X=$common.k8sVersionMinor=$minor" helm.sh/helm/v4/cmd/helm; }
# Libraries of Kubernetes v1 have the major version 0.
RUN [ -x kubectl ] || { \
    version=$(go list -C src/kubectl -m -f="{{.Version}}" k8s.io/kubectl | sed s/v0/v1/) \
 && go build -C src/kubectl -o=/programs/kubectl -ldflags="-s -w -X=k8s.io/component-base/version.gitVersion=$version" .; }
# Not Debian's, which is too old for the API of Docker 29.
RUN [ -x docker ] || { \
    version=$(go list -C src/docker -m -f="{{.Version}}" github.com/docker/cli | sed s/+incompatible//) \
 && go build -C src/docker -o=/programs/docker -ldflags="-s -w \
    -X=github.com/docker/cli/cli/version.Version=$version" github.com/docker/cli/cmd/docker; }

FROM ${BASE}
ARG VERSION=0.4.0
LABEL org.opencontainers.image.title="Slipway" \
      org.opencontainers.image.description="A web dashboard and REST API for local Kubernetes clusters: kind on Docker or Podman." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/debian:bookworm-slim"
COPY --from=package /ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=programs /programs/kind /programs/helm /programs/kubectl /programs/docker /usr/local/bin/
COPY --from=package /opt/slipway /opt/slipway
RUN mkdir -p /data/home && chown -R 1000:1000 /data
ENV PATH=/opt/slipway/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
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
