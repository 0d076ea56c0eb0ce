/**
 * Lists the roles of all services from their manifests, on the reference page and in the file that the Helm chart
 * reads.
 */
import type { App } from '@murmuration/kernel'

const rows = (apps: readonly App[]) =>
  apps
    .flatMap(({ manifest }) =>
      Object.entries(manifest.roles).map(([role, plan]) => ({ service: manifest.service, role, plan })),
    )
    .sort((a, b) => `${a.service} ${a.role}`.localeCompare(`${b.service} ${b.role}`))

export const rolesFile = (apps: readonly App[]) =>
  rows(apps).map(({ service, role, plan }) => ({
    service,
    role,
    scales: plan.scales,
    http: plan.http ?? null,
    health: 9090,
    needs: plan.needs,
    consumes: Boolean(plan.reactions || plan.jobs?.length),
    minReplicas: plan.replicas?.min ?? 1,
    maxReplicas: plan.replicas?.max ?? 10,
    cpu: plan.resources?.cpu ?? '250m',
    memory: plan.resources?.memory ?? '256Mi',
    grace: 30,
    threads: plan.threads ?? null,
    image: plan.image ?? 'app',
  }))

export const rolesPage = (apps: readonly App[]): string => `<!-- Written by npm run gen from the manifests. -->
# Roles

\`serve SERVICE:ROLE\` runs one role, \`serve SERVICE:ROLE,ROLE\` several of a service, \`serve SERVICE\` all of its roles. Further words run
further services in the same process.

| Role | Grows with | Needs | Listens |
|---|---|---|---|
${rows(apps)
  .map(
    ({ service, role, plan }) =>
      `| \`${service}:${role}\` | ${plan.scales} | ${plan.needs.join(', ')} | ${plan.http ? `${plan.http.surface} :${plan.http.port}` : '–'} |`,
  )
  .join('\n')}
`
