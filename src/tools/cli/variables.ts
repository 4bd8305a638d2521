/**
 * Makes the variables by which a program finds an emulator. The SDK of the service reads the last two.
 * @param isIntercepted whether the emulator serves the host of the service: a program keeps that address
 */
export const makeAddressVariables = (url: string, token: string, isIntercepted: boolean): Record<string, string> => ({
  VAL_EMULATOR_URL: url,
  VAL_EMULATOR_TOKEN: token,
  ...(isIntercepted ? {} : { VAL_TOWN_BASE_URL: url }),
  VAL_TOWN_API_KEY: token,
});
