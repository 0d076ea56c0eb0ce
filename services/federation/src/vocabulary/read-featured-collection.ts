/** Reads collections of accounts, and agreements to be in one (FEP-7aa9). */
import { idOf, isLoose, prop, typesOf } from './loose.js'
import { readUri, type Uri } from './uri.js'

/** A FeatureAuthorization as it came from its origin. */
export type IncomingFeatureAuthorization = {
  readonly uri: Uri
  /** The collection. */
  readonly interactingObject: Uri
  /** The actor in it. */
  readonly interactionTarget: Uri
}

/** An agreement, or null when a field is missing or the node is something else. */
export const readFeatureAuthorization = (value: unknown): IncomingFeatureAuthorization | null => {
  if (!isLoose(value) || !typesOf(value).includes('FeatureAuthorization')) return null
  const uri = readUri(prop(value, 'id'))
  const interactingObject = idOf(prop(value, 'interactingObject'))
  const interactionTarget = idOf(prop(value, 'interactionTarget'))
  return uri && interactingObject && interactionTarget ? { uri, interactingObject, interactionTarget } : null
}
