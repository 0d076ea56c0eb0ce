/** All services. The code of a service is loaded when it is needed. */
import type { App } from '@murmuration/kernel'

const load: Record<string, () => Promise<{ app: App }>> = {
  gateway: () => import('@murmuration/gateway'),
  streaming: () => import('@murmuration/streaming'),
  admin: () => import('@murmuration/admin'),
  notifications: () => import('@murmuration/notifications'),
  federation: () => import('@murmuration/federation'),
  statuses: () => import('@murmuration/statuses'),
  accounts: () => import('@murmuration/accounts'),
  media: () => import('@murmuration/media'),
}

export const SERVICES = Object.keys(load)

/** Loads the application of one service. */
export const loadApp = async (name: string): Promise<App> => {
  const one = load[name]
  if (!one) throw new Error(`There is no service "${name}"; there are ${SERVICES.join(', ')}.`)
  return (await one()).app
}

export const loadAll = (): Promise<App[]> => Promise.all(SERVICES.map(loadApp))
