/** Opens what the roles of a process name in `needs`, and refuses everything else, so that a role cannot depend on more by accident. */
import type { RolePlan } from './manifest.js'
import { ConfigError } from './settings.js'

export type Need = RolePlan['needs'][number]

/** Tells what a process is given. */
export interface Needs {
  has(need: Need): boolean
  /**
   * Runs `open` when a role of this process names the need. Otherwise gives a stand-in: any use of it throws a ConfigError
   * that names the role and the need, and closing it does nothing.
   *
   * @example
   * const blobs = base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config)))
   */
  grant<T extends object>(need: Need, open: () => T): T
}

const standIn = <T extends object>(message: string): T =>
  new Proxy({} as T, {
    get(_target, property) {
      // A stand-in may be awaited and printed.
      if (typeof property === 'symbol' || property === 'then' || property === 'toJSON') return undefined
      if (property === 'close') return async () => {}
      throw new ConfigError(message)
    },
  })

/** The needs of a service in these roles. */
export const createNeeds = (service: string, plans: readonly (readonly [string, Pick<RolePlan, 'needs'>])[]): Needs => {
  const named = new Set(plans.flatMap(([, plan]) => plan.needs))
  const process = `${service}:${plans.map(([role]) => role).join(',')}`
  return {
    has: (need) => named.has(need),
    grant: (need, open) =>
      named.has(need) ? open() : standIn(`${process} uses ${need}, which its manifest does not name in needs.`),
  }
}
