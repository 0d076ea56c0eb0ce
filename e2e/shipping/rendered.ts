/** Objects of the chart: rendered by Helm, or read from k8s/rendered on a machine without Helm. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { findHelm } from '../../helm/find-helm.js'
import {
  chart,
  KUBE_VERSION,
  type KubeObject,
  OVERLAYS,
  objectsOf,
  overlay,
  renderChart,
  runHelm,
} from '../../helm/render.js'

export { type KubeObject, OVERLAYS }
export type Overlay = (typeof OVERLAYS)[number]

export const root = new URL('../../', import.meta.url)

/** Path of Helm; null when it is missing. */
export const helm = await findHelm()

/** Prefix of the title of every test that checks less without Helm. */
export const mark = helm ? '' : 'NO HELM ON THIS MACHINE, judged by k8s/rendered only: '
if (!helm)
  console.warn(
    'NO HELM ON THIS MACHINE: the chart is not linted and not rendered, only its last rendering is read.\n' +
      'Install Helm 3.6 or newer (node bin/tools.mjs --install helm), or Go, or set HELM_BIN.',
  )

const texts = new Map<Overlay, Promise<string>>()

/** The rendering of one overlay as text. */
export const textOf = (name: Overlay): Promise<string> => {
  const known = texts.get(name)
  if (known) return known
  const { values, rendered } = overlay(name)
  const fresh = helm ? renderChart(values) : readFile(rendered, 'utf8')
  texts.set(name, fresh)
  return fresh
}

/** The required values only. */
export const enough = {
  config: { LOCAL_DOMAIN: 'social.example', S3_ENABLED: true, S3_BUCKET: 'media' },
  secrets: { existingSecret: 'murmuration' },
}

/** Renders the chart with these values, and with further arguments of Helm. Rejects with Helm's message if it refuses them. */
export const render = async (values: object, more: readonly string[] = []): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-chart-'))
  try {
    const file = join(folder, 'values.yaml')
    await writeFile(file, stringify(values))
    return await runHelm(['template', 'murmuration', chart, '--values', file, '--kube-version', KUBE_VERSION, ...more])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A spec of any kind. kinds.test.ts checks all of them against the types of Kubernetes. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type AnySpec = any

/** A role in roles.json. */
export interface Role {
  service: string
  role: string
  scales: string
  http: { port: number; surface: string } | null
  health: number
  needs: string[]
  /** True when it has reactions or jobs. */
  consumes: boolean
  minReplicas: number
  maxReplicas: number
  cpu: string
  memory: string
  grace: number
  image: 'app' | 'media'
}

export const roles = JSON.parse(await readFile(new URL('helm/murmuration/roles.json', root), 'utf8')) as readonly Role[]

export const keyOf = (role: Role): string => `${role.service}-${role.role}`

export interface Container {
  name: string
  image: string
  args: string[]
  env?: { name: string; value?: string; valueFrom?: unknown }[]
  securityContext: Record<string, unknown>
  resources: Record<'requests' | 'limits', Record<string, string>>
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
  [field: string]: unknown
}
interface SecretSource {
  name: string
  optional?: boolean
  items: { key: string; path: string }[]
}
export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  securityContext: Record<string, unknown>
  volumes: { name: string; emptyDir?: { sizeLimit: string }; projected?: { sources: { secret: SecretSource }[] } }[]
  [field: string]: unknown
}

/** Returns functions that find objects of one overlay by kind and the end of their name. */
export const lookUp = async (name: Overlay) => {
  const objects = objectsOf(await textOf(name))
  const of = (kind: string): KubeObject[] => objects.filter((object) => object.kind === kind)
  const one = (kind: string, tail: string): KubeObject => {
    const found = of(kind).find((object) => object.metadata.name === `murmuration-${tail}`)
    if (!found) throw new Error(`the chart has no ${kind} murmuration-${tail}`)
    return found
  }
  const spec = (kind: string, tail: string): AnySpec => one(kind, tail).spec
  const pod = (kind: string, tail: string): PodSpec => spec(kind, tail).template.spec
  return { objects, of, one, spec, pod }
}
