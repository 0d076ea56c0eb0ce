/** The exports of this module for other modules. */
export { favourite, unfavourite } from './favourite.js'
export { favouriteByUri, renameFavourite, renameUndoneFavourite, uriOfFavourite } from './store.js'
