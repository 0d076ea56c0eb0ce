/** Generates the reference page of operations: route, access, scopes and description. */
import { allEventStreams, allOperations } from '@murmuration/contracts/registry'

const cell = (text: string): string => text.replaceAll('|', '\\|')

export const operationsPage = (): string => {
  const operations = allOperations()
  const routed = operations
    .flatMap((operation) => operation.http.map((route) => ({ operation, route })))
    .sort((a, b) => a.route.path.localeCompare(b.route.path) || a.route.method.localeCompare(b.route.method))
  const streams = allEventStreams().sort((a, b) => a.http.path.localeCompare(b.http.path))
  const internal = operations.filter((operation) => operation.http.length === 0)
  return `<!-- Written by npm run gen from packages/contracts. -->
# Operations

## With a route (${routed.length})

| Method | Path | Auth | Scopes | Operation | What |
|---|---|---|---|---|---|
${routed.map(({ operation, route }) => `| ${route.method} | \`${route.path}\` | ${operation.viewer.kind} | ${cell(operation.viewer.scopes.join(' | ')) || '–'} | \`${operation.name}\` | ${cell(operation.about)} |`).join('\n')}

## Streaming (${streams.length})

Served by the streaming service itself; connections that stay open are no requests over the bus.

| Method | Path | Auth | Scopes | Stream | What |
|---|---|---|---|---|---|
${streams.map((one) => `| ${one.http.method} | \`${one.http.path}\` | ${one.viewer.kind} | ${cell(one.viewer.scopes.join(' | ')) || '–'} | ${one.stream ? `\`${one.stream}\`` : '–'} | ${cell(one.about)} |`).join('\n')}

## Between services (${internal.length})

| Operation | What |
|---|---|
${internal.map((operation) => `| \`${operation.name}\` | ${cell(operation.about)} |`).join('\n')}
`
}
