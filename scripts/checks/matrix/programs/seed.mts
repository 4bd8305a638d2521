const users: { username: string }[] = [{ username: 'tia' }];
export default { users };
