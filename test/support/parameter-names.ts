import schema from '../../schemas/trade-query.schema.json' with { type: 'json' };

/** Every parameter of the trade routes, and the two that only development mode knows. */
export const PARAMETER_NAMES: readonly string[] = [...Object.keys(schema.properties), 'routerAddress', 'allowanceHolderAddress'];
