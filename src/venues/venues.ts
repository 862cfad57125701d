// The front door of the venues room.
export { type IndexerVenue, type IndexerVenues, loadIndexerVenues, loadSolverVenues, loadVenueFacets, type SolverVenue, type SolverVenues } from './load.ts';
export type { Applied, ChainCall, ChainLog, DiscoveredPool, PinnedReader, TrackFacet, VenueDeployment } from './track.ts';
export { PoolRefused, type PriceFacet, type Quote, type QuoteRefusal, type StateFacet, type VenueFacet, type VenueFamily } from './venue.ts';
