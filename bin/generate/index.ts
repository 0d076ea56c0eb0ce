/** Generates the texts of all files that are derived from contracts and manifests, by path. */

import { permissionsOf } from '@murmuration/bus'
import { openApiDocument } from '@murmuration/contracts/openapi'
import { type App, busNeedsOf, operatorNeeds } from '@murmuration/kernel'
import { natsUsers } from '../../helm/nats-users.js'
import { redisUsers } from '../../helm/redis-users.js'
import { migrationDigests } from '../rules/migrations.js'
import { callLists } from './calls.js'
import { changelogFile } from './changelog.js'
import { entryPointLists } from './entry-points.js'
import { eventsPage } from './events.js'
import { operationsPage } from './operations.js'
import { permissionsPage } from './permissions.js'
import { readsFile } from './reads.js'
import { rolesFile, rolesPage } from './roles.js'
import { rulesPage } from './rules.js'
import { settingsPage } from './settings.js'
import { versionFile } from './version.js'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** All NATS logins. The login of the operator is the last one. */
const logins = (apps: readonly App[]) => {
  const operations = apps.flatMap((app) => app.manifest.operations.map((entry) => entry.operation.subject))
  return [...apps.map((app) => busNeedsOf(app.manifest)), operatorNeeds(operations)].map((needs) => ({
    user: needs.service,
    permissions: permissionsOf(needs),
  }))
}

export const generated = async (apps: readonly App[]): Promise<Record<string, string>> => ({
  ...entryPointLists(),
  ...callLists(),
  'packages/contracts/src/kit/version.ts': versionFile(),
  'CHANGELOG.md': changelogFile(),
  'docs/reference/operations.md': operationsPage(),
  'docs/reference/events.md': eventsPage(apps),
  'docs/reference/roles.md': rolesPage(apps),
  'docs/reference/bus-permissions.md': permissionsPage(apps),
  'docs/reference/rules.md': rulesPage(),
  'docs/reference/settings.md': await settingsPage(apps),
  'docs/reference/openapi.json': json(openApiDocument({ origin: 'https://social.example' })),
  'docs/reference/migrations.json': json(migrationDigests()),
  'helm/murmuration/roles.json': json(rolesFile(apps)),
  'helm/murmuration/reads.json': json(await readsFile(apps)),
  'k8s/stores/nats/users.conf': natsUsers(logins(apps)),
  'k8s/stores/redis/users.rules': redisUsers(apps.map((app) => app.manifest)),
})
