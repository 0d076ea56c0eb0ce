/** The bus logins of the cluster as NATS configuration, with their permissions. The passwords are in a Secret. */

/** Permissions of one login, in the shape that @murmuration/bus returns for a manifest. */
export interface BusLogin {
  /** Name of the service, or `operator` for bin/ctl. */
  user: string
  permissions: { publish: readonly string[]; subscribe: readonly string[] }
}

/** The variable with the password of a login. make-secrets.sh writes the same names. */
export const passwordVariable = (user: string): string => `NATS_${user.toUpperCase().replaceAll('-', '_')}`

/** Sorted, so that the file does not change with the order of code. */
const list = (subjects: readonly string[]): string =>
  subjects
    .toSorted()
    .map((subject) => `          ${JSON.stringify(subject)}`)
    .join('\n')

/**
 * The `authorization` block for k8s/stores/nats/users.conf. Replies may be sent to every requester. Everything that is not
 * listed is refused, the system account included.
 */
export const natsUsers = (logins: readonly BusLogin[]): string => {
  const users = logins.map(
    ({ user, permissions }) => `    {
      user: ${user}
      password: $${passwordVariable(user)}
      permissions: {
        publish: { allow: [
${list(permissions.publish)}
        ] }
        subscribe: { allow: [
${list(permissions.subscribe)}
        ] }
        allow_responses: { max: 128, expires: "2m" }
      }
    }
`,
  )
  const head = '# The logins of the bus and their permissions; written by bin/gen from the manifests.\n'
  return `${head}include "passwords.conf"

authorization {\n  timeout: 5\n  users: [\n${users.join('')}  ]\n}\n`
}
