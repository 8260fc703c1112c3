/** The request header that selects one of several products (contract: Authentication 9). */
export const merchantKeyHeader = 'x-service-merchant-key'
