const API = 'https://api.val.town';
const LOGIN = 'https://www.val.town';

/** Returns the issuer of an emulator with a base. The service has its login on another host. */
export const toIssuer = (base: string): string => `${base === API ? LOGIN : base}/oauth`;

/** Returns the address of the API whose login is at a base. */
export const toResource = (base: string): string => (base === LOGIN ? API : base);
