/**
 * Opens the resources that the roles of a process list in `needs`, and no others. So no role depends on a resource that
 * its manifest does not list.
 */
import type { RolePlan } from './manifest.js'
import { ConfigError } from './settings.js'

export type Need = RolePlan['needs'][number]

/** Access to the resources of a process. */
export interface Needs {
  has(need: Need): boolean
  /**
   * Calls `open` if a role of this process lists the need. Otherwise returns a placeholder. Any use of the placeholder
   * throws a ConfigError with the role and the need, except closing it.
   * @example
   * const blobs = base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config)))
   */
  grant<T extends object>(need: Need, open: () => T): T
}

const standIn = <T extends object>(message: string): T =>
  new Proxy({} as T, {
    get(_target, property) {
      // Reading symbols, `then` and `toJSON` throws no error, so that a placeholder can be awaited and printed.
      if (typeof property === 'symbol' || property === 'then' || property === 'toJSON') return undefined
      if (property === 'close') return async () => {}
      throw new ConfigError(message)
    },
  })

/** Resources of a service in these roles. */
export const createNeeds = (service: string, plans: readonly (readonly [string, Pick<RolePlan, 'needs'>])[]): Needs => {
  const named = new Set(plans.flatMap(([, plan]) => plan.needs))
  const process = `${service}:${plans.map(([role]) => role).join(',')}`
  return {
    has: (need) => named.has(need),
    grant: (need, open) =>
      named.has(need) ? open() : standIn(`${process} uses ${need}, which its manifest does not name in needs.`),
  }
}
