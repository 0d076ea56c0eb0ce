/**
 * Prints the `authorization` block of the NATS server: a login per service with exactly the permissions of its manifest. With
 * --check-settings, it first validates the settings of every service, before any process is started.
 */
import { authorizationBlock, permissionsOf } from '@murmuration/bus'
import { busNeedsOf, ConfigError, createNeeds, derive, operatorNeeds, readCommonConfig } from '@murmuration/kernel'
import { loadAll } from './services.js'

const secretKeyBase = process.env.SECRET_KEY_BASE ?? ''
if (secretKeyBase.length < 32) {
  process.stderr.write('SECRET_KEY_BASE is missing or too short: at least 32 characters are needed.\n')
  process.exit(1)
}
const apps = await loadAll()
if (process.argv.includes('--check-settings'))
  try {
    const common = readCommonConfig(process.env)
    for (const app of apps) {
      const needs = createNeeds(app.manifest.service, Object.entries(app.manifest.roles))
      app.checkSettings?.(process.env, common, needs)
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
const internals = apps.flatMap((app) => app.manifest.operations.map((entry) => entry.operation.subject))
const users = [...apps.map((app) => busNeedsOf(app.manifest)), operatorNeeds(internals)].map((needs) => ({
  user: needs.service,
  password: derive({ secretKeyBase }, `bus:${needs.service}`),
  permissions: permissionsOf(needs),
}))
process.stdout.write(authorizationBlock(users))
