/** Parses arguments of `serve`: `statuses:fanout` is one role, `statuses:api,reactor` are two, `statuses` means all roles. */

/** A service with the roles to run; all roles if `roles` is absent. */
export interface ServedService {
  readonly service: string
  readonly roles?: readonly string[]
}

/** Error for invalid arguments of `serve`, with a message of one line. */
export class RolesError extends Error {}

const listed = (names: readonly string[]): string => names.join(', ')

/**
 * Throws a RolesError for an unknown service or role, for a repeated service, and for `gateway federation`, which was the spelling
 * of `gateway:federation` in older releases.
 *
 * @param rolesOf returns the roles of a service; called for services in `services` only
 * @example await servedRoles(['statuses:fanout'], services, rolesOf) // [{ service: 'statuses', roles: ['fanout'] }]
 */
export const servedRoles = async (
  words: readonly string[],
  services: readonly string[],
  rolesOf: (service: string) => Promise<readonly string[]>,
): Promise<ServedService[]> => {
  if (words.length === 0)
    throw new RolesError(`Usage: serve <service>[:<role>[,<role>]] …; the services are ${listed(services)}.`)
  const served: ServedService[] = []
  for (const word of words) {
    const [service = '', named, ...more] = word.split(':')
    const before = served.at(-1)
    if (!services.includes(service)) {
      const isRole = before && !before.roles && (await rolesOf(before.service)).includes(service)
      const hint = isRole ? `a role is written with its service, ${before.service}:${word}` : listed(services)
      throw new RolesError(`There is no service "${service}": ${isRole ? hint : `the services are ${hint}`}.`)
    }
    const known = await rolesOf(service)
    if (more.length || named === '')
      throw new RolesError(`"${word}" names no role: write ${service}:<role>, of ${listed(known)}.`)
    const roles = named?.split(',')
    const unknown = roles?.find((role) => !known.includes(role))
    if (unknown !== undefined)
      throw new RolesError(`${service} has no role "${unknown}": its roles are ${listed(known)}.`)
    if (served.some((one) => one.service === service))
      throw new RolesError(`${service} is named twice: write its roles in one word, ${service}:<role>,<role>.`)
    served.push({ service, ...(roles && { roles: [...new Set(roles)] }) })
  }
  const [first, second] = served
  if (served.length === 2 && first && second && !first.roles && !second.roles) {
    const known = await rolesOf(first.service)
    if (known.includes(second.service))
      throw new RolesError(
        `"${listed(words).replace(', ', ' ')}" is ambiguous: write ${first.service}:${second.service} for the role, ` +
          `${first.service}:${listed(known).replaceAll(' ', '')} ${second.service} for both services.`,
      )
  }
  return served
}
