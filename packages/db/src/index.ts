/** Access to PostgreSQL; contains no logic of a service. */
export * from './database.js'
export * from './day-counts.js'
export * from './full-text.js'
export * from './keyset.js'
export * from './migrate.js'
export { sessionSettings, unhurried } from './session.js'
export * from './sql.js'
export * from './tasks.js'
