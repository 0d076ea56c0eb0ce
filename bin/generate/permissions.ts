/** Generates the reference page of the subjects that each service may publish and subscribe to on the bus. */
import { type App, busPermissionsOf } from '@murmuration/kernel'

export const permissionsPage = (apps: readonly App[]): string => `<!-- Written by npm run gen from the manifests. -->
# Bus permissions

A service that may publish \`rpc.NAME\` may also publish \`rpc.NAME.*\`, which directs the request to one responder ([0014](../adr/0014-lost-responders.md)).

${[...apps]
  .sort((a, b) => a.manifest.service.localeCompare(b.manifest.service))
  .map((app) => {
    const { publish, subscribe } = busPermissionsOf(app.manifest)
    const list = (subjects: string[]) =>
      subjects
        .filter((one) => !one.startsWith('$') && !subjects.some((other) => one === `${other}.*`))
        .toSorted()
        .map((one) => `\`${one}\``)
        .join(' ') || '–'
    return `## ${app.manifest.service}\n\nPublishes: ${list(publish)}\n\nSubscribes to: ${list(subscribe)}\n`
  })
  .join('\n')}`
