# syntax=docker/dockerfile:1
# The image of partner-rewards-sandbox, from a checkout or from the installed package, which is built already:
# `docker build -t sandbox node_modules/partner-rewards-sandbox && docker run -p 4010:4010 sandbox`

FROM node:24-slim AS build
WORKDIR /app
# What only a checkout has may be missing.
COPY package.json package-lock.jso[n] .npmr[c] ./
# Nothing that is installed may run a script.
RUN if [ -e package-lock.json ]; then npm ci --ignore-scripts --no-audit --no-fund; fi
COPY . .
RUN if [ ! -e dist/bin.cjs ]; then npm run build; fi

FROM node:24-slim
LABEL org.opencontainers.image.title="partner-rewards-sandbox" \
      org.opencontainers.image.description="A local, stateful sandbox of a partner rewards API" \
      org.opencontainers.image.licenses="MIT"

COPY --from=build /app/package.json /app/LICENSE /app/AGENTS.md /app/
COPY --from=build /app/dist /app/dist
COPY --from=build /app/fixtures /app/fixtures
COPY --from=build /app/scenarios /app/scenarios

# Whatever is mounted here is used: fixtures/*, scenarios/* and sandbox.config.*
WORKDIR /sandbox
ENV NODE_ENV=production \
    SANDBOX_HOST=0.0.0.0 \
    SANDBOX_MOUNT=/sandbox

# A number, so that an orchestrator can tell that this is not root. Any other user works as well.
USER 1000:1000
EXPOSE 4010
# `health` asks the port that `start` was told to serve on.
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "/app/dist/bin.cjs", "health"]
ENTRYPOINT ["node", "/app/dist/bin.cjs"]
CMD ["start"]
