/**
 * Lists the environment variables that each role reads, according to `config.ts` of its service. The Helm chart
 * restarts only the pods that read a changed variable.
 */
import { type App, blobSettings, commonSettings, type Settings } from '@murmuration/kernel'
import { settingsOf } from './settings.js'

/** Environment variables that only the migrations read. */
const MIGRATIONS = ['DATABASE_CONNECTIONS', 'DATABASE_WAIT']
/** Environment variables for connections to PostgreSQL, for roles that need it. */
const POSTGRES = ['DATABASE_ROLES', 'DB_POOL', 'PREPARED_STATEMENTS']

const names = (settings: Settings): string[] =>
  Object.values(settings)
    .filter((one) => !one.secret)
    .map((one) => one.env)

/**
 * Environment variables without secrets, by the roles that read them. `always`: every process. `byNeed`: roles with
 * this need. `services`: every role of a service.
 */
export const readsFile = async (apps: readonly App[]) => {
  const blob = names(blobSettings)
  const services = await Promise.all(
    apps.map(async ({ manifest }): Promise<[string, string[]]> => {
      const own = names(await settingsOf(manifest.service)).filter((name) => !blob.includes(name))
      return [manifest.service, [...new Set(own)].sort()]
    }),
  )
  return {
    always: names(commonSettings)
      .filter((name) => ![...MIGRATIONS, ...POSTGRES].includes(name))
      .sort(),
    byNeed: { postgres: POSTGRES, blob: blob.sort() },
    services: Object.fromEntries(services.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
