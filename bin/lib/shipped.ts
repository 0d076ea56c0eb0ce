/**
 * Finds the npm packages in the image from the lock file: all dependencies of services and of programs in bin, resolved
 * as Node resolves them.
 */

export interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  license?: string
  link?: boolean
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
export type Lock = Readonly<Record<string, Locked>>

export interface Shipped {
  /** Folders of the packages and services of this repository. */
  ours: Set<string>
  /** Names of the packages on which services and programs depend directly. */
  direct: Set<string>
  /** Paths in the lock file of the packages that every machine needs. */
  all: Set<string>
  /** Paths in the lock file of the packages that only machines of some platforms need. */
  optional: Set<string>
}

const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path = `${base ? `${base}/` : ''}node_modules/${name}`
    if (lock[path]) return path
    if (!base) return undefined
  }
}

export const shippedOf = (lock: Lock): Shipped => {
  const found: Shipped = { ours: new Set(), direct: new Set(), all: new Set(), optional: new Set() }
  const ours = found.ours
  for (const path of Object.keys(lock)) if (/^services\/[^/]+$/.test(path)) ours.add(path)
  const left = [...ours].map((path) => ({ path, optional: false }))
  // Adds the dependencies of the programs in bin. Their optional dependencies are servers for development, which are not part of the image.
  for (const name of Object.keys(lock['']?.dependencies ?? {})) {
    const path = placeOf(lock, '', name)
    if (path === undefined) continue
    found.direct.add(name)
    found.all.add(path)
    left.push({ path, optional: false })
  }
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = lock[one.path] ?? {}
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
      const at = placeOf(lock, one.path, name)
      if (at === undefined) continue
      const { link, resolved } = lock[at] as Locked
      const path = link && resolved ? resolved : at
      const optional = one.optional || name in optionalDependencies
      if (!link && ours.has(one.path)) found.direct.add(name)
      const known = link ? ours : optional ? found.optional : found.all
      if (known.has(path) || found.all.has(path)) continue
      known.add(path)
      if (!optional) found.optional.delete(path)
      left.push({ path, optional })
    }
  }
  return found
}
