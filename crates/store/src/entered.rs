//! Browsers that gave the arena's token.

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// The browsers that gave this token. Both are digests: nothing that is stored lets anybody in.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn entered(&self, token: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT client FROM entered WHERE token = ?1")?;
            let clients = statement.query_map([token], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(clients)
        })
    }

    /// Remembers a browser that gave this token.
    ///
    /// # Errors
    /// Only if the file cannot be written.
    pub fn enter(&mut self, client: &str, token: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("INSERT OR IGNORE INTO entered (client, token) VALUES (?1, ?2)", [client, token])?;
            Ok(())
        })
    }
}
