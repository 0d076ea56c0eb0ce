/** Everything that is written from contracts and manifests, as path → text. */

import { openApiDocument } from '@murmuration/contracts/openapi'
import type { App } from '@murmuration/kernel'
import { migrationDigests } from '../rules/migrations.js'
import { eventsPage } from './events.js'
import { operationsPage } from './operations.js'
import { permissionsPage } from './permissions.js'
import { rolesFile, rolesPage } from './roles.js'
import { settingsPage } from './settings.js'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const generated = async (apps: readonly App[]): Promise<Record<string, string>> => ({
  'docs/reference/operations.md': operationsPage(),
  'docs/reference/events.md': eventsPage(apps),
  'docs/reference/roles.md': rolesPage(apps),
  'docs/reference/bus-permissions.md': permissionsPage(apps),
  'docs/reference/settings.md': await settingsPage(apps),
  'docs/reference/openapi.json': json(openApiDocument({ origin: 'https://social.example' })),
  'docs/reference/migrations.json': json(migrationDigests()),
  'helm/murmuration/roles.json': json(rolesFile(apps)),
})
