/** Whether requests of a method change nothing. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
