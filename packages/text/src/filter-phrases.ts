/** Many phrases as one automaton (Aho and Corasick, 1975), so that a text is read once however many there are. */

/** A phrase in the form in which it is compared. */
export type Phrase = { text: string; wholeWord: boolean }

/** Two kinds of phrases end at a node: those found anywhere, and those that must be whole words. */
export type Kind = 'loose' | 'whole'

/** The automaton. Node 0 is the start; a node stands for the longest beginning of a phrase that ends here. */
export type Phrases = {
  /** The node after reading one UTF-16 unit. */
  step: (node: number, code: number) => number
  /** Length of the beginning that a node stands for. */
  depth: (node: number) => number
  /** The node of the longest phrase of a kind that ends at this node, 0 for none. */
  longest: (kind: Kind, node: number) => number
  /** The node of the next shorter phrase of a kind that ends at the same place, 0 for none. */
  shorter: (kind: Kind, node: number) => number
  /** The index of the phrase of a kind that a node stands for. */
  phraseAt: (kind: Kind, node: number) => number
}

type Node = { depth: number; fail: number; phrase: Record<Kind, number>; shorter: Record<Kind, number> }

const NONE = -1
const newNode = (depth: number): Node => ({
  depth,
  fail: 0,
  phrase: { loose: NONE, whole: NONE },
  shorter: { loose: 0, whole: 0 },
})

/** Builds the automaton in time linear in the phrases; empty phrases and repetitions are left out. */
export function buildPhrases(phrases: readonly Phrase[]): Phrases {
  const nodes: Node[] = [newNode(0)]
  const edges = new Map<number, number>()
  const edge = (node: number, code: number) => edges.get(node * 0x10000 + code)
  const parents: { parent: number; code: number }[] = [{ parent: 0, code: 0 }]

  const child = (node: number, code: number): number => {
    const known = edge(node, code)
    if (known !== undefined) return known
    const made = nodes.push(newNode(nodes[node]!.depth + 1)) - 1
    parents.push({ parent: node, code })
    edges.set(node * 0x10000 + code, made)
    return made
  }
  const step = (from: number, code: number): number => {
    for (let node = from; ; node = nodes[node]!.fail) {
      const next = edge(node, code)
      if (next !== undefined) return next
      if (node === 0) return 0
    }
  }
  const longest = (kind: Kind, node: number): number =>
    nodes[node]!.phrase[kind] === NONE ? nodes[node]!.shorter[kind] : node

  phrases.forEach(({ text, wholeWord }, index) => {
    let node = 0
    for (let at = 0; at < text.length; at++) node = child(node, text.charCodeAt(at))
    const { phrase } = nodes[node]!
    const kind = wholeWord ? 'whole' : 'loose'
    if (node !== 0 && phrase[kind] === NONE) phrase[kind] = index
  })
  for (const number of byDepth(nodes)) {
    const node = nodes[number]!
    const { parent, code } = parents[number]!
    node.fail = parent === 0 ? 0 : step(nodes[parent]!.fail, code)
    node.shorter = { loose: longest('loose', node.fail), whole: longest('whole', node.fail) }
  }
  return {
    step,
    longest,
    depth: (node) => nodes[node]!.depth,
    shorter: (kind, node) => nodes[node]!.shorter[kind],
    phraseAt: (kind, node) => nodes[node]!.phrase[kind],
  }
}

/** All nodes but the start, shallow ones first, so that a node's shorter suffixes are done before it. */
function byDepth(nodes: readonly Node[]): number[] {
  const levels: number[][] = []
  nodes.forEach(({ depth }, number) => {
    if (depth === 0) return
    levels[depth] ??= []
    levels[depth].push(number)
  })
  return levels.flat()
}
