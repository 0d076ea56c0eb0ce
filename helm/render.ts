/** Renders the chart to text that does not depend on the version of Helm, for k8s/rendered and for the tests. */
import { execFile } from 'node:child_process'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import { findHelm } from './find-helm.js'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

/** Folder of the chart. */
export const chart = fileURLToPath(new URL('murmuration', import.meta.url))
/** The Kubernetes version that the chart is rendered for; old Helm assumes one that the chart refuses. */
export const KUBE_VERSION = '1.31.0'

/** Any object of the cluster's API. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  [field: string]: unknown
}

/** No Helm on this machine, and none could be built. */
export class NoHelm extends Error {
  constructor() {
    super('helm is missing: install Helm 3.6 or newer (node bin/tools.mjs --install helm), or Go, or set HELM_BIN')
  }
}

/** Order of resources for a plain `kubectl apply`. */
const order = ['NetworkPolicy', 'ConfigMap', 'Service', 'Job', 'Deployment', 'PodDisruptionBudget']
const rank = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length)
const byPlace = (a: KubeObject, b: KubeObject): number =>
  rank(a.kind) - rank(b.kind) || (`${a.kind}/${a.metadata.name}` < `${b.kind}/${b.metadata.name}` ? -1 : 1)

/** The objects in a YAML text; an error names the first place that is not YAML. */
export const objectsOf = (text: string): KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => {
    const problem = document.errors?.[0]
    if (problem) throw problem
    const object = document.toJS() as KubeObject | null
    return object ? [object] : []
  })

/** Runs Helm; throws NoHelm without one, and Helm's own message when it refuses. */
export const runHelm = async (args: readonly string[]): Promise<string> => {
  const helm = await findHelm()
  if (!helm) throw new NoHelm()
  // Without garbage collection, because a rendering needs little memory and a third less time then.
  const env = { ...process.env, GOGC: 'off' }
  const { stdout } = await exec(helm, [...args], { env, timeout: 60_000, maxBuffer: 67_108_864 })
  return stdout
}

/**
 * All objects of the chart for one file of values, sorted and with a first line that says where they come from.
 * The text is the same for every supported Helm.
 *
 * @example await writeFile('k8s/rendered/small.yaml', await renderChart('k8s/overlays/small.yaml'))
 */
export const renderChart = async (valuesFile: string): Promise<string> => {
  const raw = await runHelm([
    'template',
    'murmuration',
    chart,
    '--namespace',
    'murmuration',
    '--values',
    valuesFile,
    '--kube-version',
    KUBE_VERSION,
  ])
  const objects = objectsOf(raw).sort(byPlace)
  const head = `# The chart rendered with ${relative(root, valuesFile)}; written by bin/gen, change the chart instead.\n`
  return head + objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')
}

/** Names of the overlays whose rendering is kept in k8s/rendered. */
export const OVERLAYS = ['small', 'large'] as const

/** Where an overlay's values and its rendering are. */
export const overlay = (name: (typeof OVERLAYS)[number]) => ({
  values: `${root}k8s/overlays/${name}.yaml`,
  rendered: `${root}k8s/rendered/${name}.yaml`,
})
